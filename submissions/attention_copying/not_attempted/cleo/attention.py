# Name:
# Date:
