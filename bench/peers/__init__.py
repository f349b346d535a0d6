"""Does the same work by HallaScope and by packages of its kind, side by side in one run."""
