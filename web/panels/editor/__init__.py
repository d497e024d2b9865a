"""The board editor: what lies on the board is entered by taps, to be ruled on, to be counted, or to go on from."""
