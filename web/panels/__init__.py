"""What stands below the board: a dataclass and its maker a panel."""
