def draw(lines, context):
    return ""
