"""What the rules answer without a table: rulings, scores, and a rule that is looked up."""
