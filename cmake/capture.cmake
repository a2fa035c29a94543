# cmake -DOUTPUT=file -P capture.cmake -- command arguments...
#
# What the command prints, as a file: a redirection that needs no shell, and leaves no half of a
# file if the command fails.
set(command)
set(behind FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(behind)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(behind TRUE)
  endif()
endforeach()
execute_process(COMMAND ${command} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${OUTPUT} "${text}")
