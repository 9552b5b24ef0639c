"""The balance report of The Virtues of the Drake."""
