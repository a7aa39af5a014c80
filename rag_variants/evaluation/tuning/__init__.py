"""Settings chosen on questions: sliders, sweeps, and what was tried and opened."""
