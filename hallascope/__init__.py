"""HallaScope: what is false in generated images, on what evidence, and how far the judge can be trusted."""
