"""Elementary functions as expansions into arithmetic, selections and operations on bits."""
