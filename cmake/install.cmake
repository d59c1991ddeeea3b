install(TARGETS cpufreqsim ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS cpufreq-sim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY sim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cpufreq-sim
	FILES_MATCHING PATTERN "*.h" PATTERN "metrics.def")
install(DIRECTORY configs plots DESTINATION ${CMAKE_INSTALL_DATADIR}/cpufreq-sim)

configure_file(cmake/cpufreqsim.pc.in cpufreqsim.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cpufreqsim.pc
	DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
