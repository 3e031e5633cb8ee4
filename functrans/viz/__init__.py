"""Pictures of graphs and of measurements: one page of HTML, text and SVG. Nothing here knows what is compiled how."""
