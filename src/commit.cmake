# Writes the commit that is built as a header, if it changed: -DSOURCE=... -DCOMMIT=... -DOUTPUT=...
cmake_minimum_required(VERSION 3.22)
if(NOT COMMIT)
  execute_process(COMMAND git --no-optional-locks -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude * OUTPUT_VARIABLE COMMIT
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT)
  set(COMMIT "not known")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define NSC_COMMIT \"@COMMIT@\"\n" @ONLY)
