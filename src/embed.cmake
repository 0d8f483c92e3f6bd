# Writes the files of a folder as a table of C strings.
# Byte arrays, not string literals: C guarantees only 4095 bytes in a literal.
#   -DFOLDER=... -DENDING=theme -DHEADER=view/kit/theme.h -DTYPE=nsc_theme_file -DTABLE=nsc_theme_files -DCOUNT=nsc_n_theme_files -DOUTPUT=...
# ONLY is a regular expression of the names to include.
# If DEFAULT is given, the text of the file named default becomes an external variable of this name.
set(table "")
set(text "/* Generated from the files *.${ENDING}. */\n#include \"${HEADER}\"\n\n")
file(GLOB files ${FOLDER}/*.${ENDING})
list(SORT files)
if(ONLY)
  list(FILTER files INCLUDE REGEX "/(${ONLY})[.]${ENDING}$")
endif()
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  string(MAKE_C_IDENTIFIER ${name} id)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  if(name STREQUAL "default" AND DEFAULT)
    set(id ${DEFAULT})
    string(APPEND text "const char ${id}[] = {${bytes}0};\n")
  else()
    set(id text_${id})
    string(APPEND text "static const char ${id}[] = {${bytes}0};\n")
  endif()
  string(APPEND table "    {\"${name}\", ${id}},\n")
endforeach()
list(LENGTH files n)
string(APPEND text "\nconst struct ${TYPE} ${TABLE}[] = {\n${table}};\nconst unsigned ${COUNT} = ${n};\n")
file(WRITE ${OUTPUT} "${text}")
