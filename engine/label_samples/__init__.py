"""What people say of a sample of judged images, as scores are corrected by it."""
