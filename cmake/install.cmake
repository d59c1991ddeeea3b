install(TARGETS cpufreqsim ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS cpufreq-sim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY sim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cpufreq-sim
	FILES_MATCHING PATTERN "*.h" PATTERN "metrics.def")
# The lists of plug-ins, for a catalogue of one's own; the plug-ins themselves have no headers.
foreach(room IN ITEMS governors drivers workloads)
	install(FILES ${room}/${room}.h
		DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cpufreq-sim/${room})
endforeach()
install(DIRECTORY configs plots DESTINATION ${CMAKE_INSTALL_DATADIR}/cpufreq-sim)

configure_file(cmake/cpufreqsim.pc.in cpufreqsim.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cpufreqsim.pc
	DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES docs/cpufreq-sim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
