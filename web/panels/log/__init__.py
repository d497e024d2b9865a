"""The panels that show the log and the effects of its entries."""
