print("gauge")
