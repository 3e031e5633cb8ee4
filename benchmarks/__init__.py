"""Benchmarks: functrans beside hand-written C and other libraries, timed in turn. ``make bench``."""
