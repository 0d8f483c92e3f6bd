# Joins the scripts of the page, and writes C arrays: the script, the style, the body, and the policy that allows only
# this script and this style.
#   -DFOLDER=... -DSCRIPTS=a.js,b.js -DOUTPUT=...
string(REPLACE "," ";" names "${SCRIPTS}")
set(script "(() => {\n'use strict';\n")
foreach(name ${names})
  file(READ ${FOLDER}/${name} text)
  string(APPEND script "${text}")
endforeach()
string(APPEND script "})();\n")
file(READ ${FOLDER}/viewer.css style)
file(READ ${FOLDER}/viewer.html body)

# Converts the hexadecimal digits of a SHA-256 to base64: three bytes become four characters.
function(base64_of_hex out hex)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  string(APPEND hex "00") # 32 bytes, padded to 33
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hex}" ${at} 6 three)
    math(EXPR value "0x${three}")
    foreach(shift 18 12 6 0)
      math(EXPR index "(${value} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${index} 1 char)
      string(APPEND text "${char}")
    endforeach()
  endforeach()
  string(REGEX REPLACE "A$" "=" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(c "/* Generated from ${SCRIPTS}, viewer.css and viewer.html. */\n#include \"share/viewer.h\"\n\n")
foreach(part script style body)
  string(SHA256 hash "${${part}}")
  base64_of_hex(${part}_hash "${hash}")
  string(HEX "${${part}}" hex)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND c "const char nsc_viewer_${part}[] = {${bytes}0};\n")
endforeach()
string(APPEND c "const char nsc_viewer_policy[] =\n"
  "    \"default-src 'none'; script-src 'sha256-${script_hash}'; style-src 'sha256-${style_hash}'; \"\n"
  "    \"base-uri 'none'; form-action 'none'\";\n")
file(WRITE ${OUTPUT} "${c}")
