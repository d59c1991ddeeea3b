# Flags of our own targets: warnings, reproducible floating point, sanitizers.
function(cpufreqsim_flags target)
	target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L
		$<$<CONFIG:Debug>:CPUFREQSIM_DEBUG>)
	# Assertions stay on in every build: they are part of the contract (-UNDEBUG).
	target_compile_options(${target} PRIVATE -ffp-contract=off -UNDEBUG
		-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla)
	if(NOT "${ARGN}" STREQUAL "test")
		target_compile_options(${target} PRIVATE -Wconversion)
	endif()
	if(CPUFREQSIM_WERROR)
		target_compile_options(${target} PRIVATE -Werror)
	endif()
	if(CPUFREQSIM_SANITIZE)
		target_compile_options(${target} PRIVATE -fno-omit-frame-pointer
			-fsanitize=address,undefined -fno-sanitize-recover=all)
		target_link_options(${target} PRIVATE -fsanitize=address,undefined)
	endif()
endfunction()
