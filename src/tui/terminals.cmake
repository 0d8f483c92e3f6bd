# Writes the descriptions of a file of terminfo as a table of C strings, as $TERMINFO takes them.
#   -DTIC=... -DINFOCMP=... -DINPUT=terminals.ti -DFOLDER=... -DOUTPUT=...
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" "" text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

set(ENV{TERMINFO} ${FOLDER})
run(${TIC} -x -o ${FOLDER} ${INPUT})
set(table "")
file(STRINGS ${INPUT} heads REGEX "^[a-z][^+]*[|]")
foreach(head ${heads})
  string(REGEX REPLACE "[|][^|]*$" "" names "${head}")
  string(REPLACE "|" ";" names "${names}")
  foreach(name ${names})
    run(${INFOCMP} -x -q -Q2 ${name})
    string(APPEND table "    {\"${name}\", \"${text}\"},\n")
  endforeach()
endforeach()
file(WRITE ${OUTPUT} "/* Generated from terminals.ti. */
#include \"tui/terminfo.h\"

const struct nsc_terminal nsc_terminals[] = {
${table}    {0}};
")
