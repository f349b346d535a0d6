"""Makes images in and outside of Primer's style, to train the detector and to measure it."""
