# Turns themes/default.theme into a C string, so the shipped file is the default that is used.
file(READ ${INPUT} text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
file(WRITE ${OUTPUT}
  "/* Generated from themes/default.theme. */\n#include \"view/theme.h\"\n\nconst char nsc_theme_default[] =\n    \"${text}\";\n")
