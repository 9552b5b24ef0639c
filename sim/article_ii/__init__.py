"""Article II: two elections, and cards of praise and blame that stay on the table."""
