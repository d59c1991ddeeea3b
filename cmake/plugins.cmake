# A plug-in room is its .def list: the line PLUGIN(acpi_cpufreq) names the file
# acpi_cpufreq.c and the symbol the room declares from it. Adding a plug-in is
# one file and one line.
function(plugin_room target def)
	file(STRINGS ${def} lines REGEX "^PLUGIN\\(")
	foreach(line IN LISTS lines)
		string(REGEX REPLACE "^PLUGIN\\(([a-z0-9_]+)\\).*" "\\1" name "${line}")
		target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${name}.c)
	endforeach()
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${def})
endfunction()
