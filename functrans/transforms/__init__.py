"""Part of functrans; see the modules."""
