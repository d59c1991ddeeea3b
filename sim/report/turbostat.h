/*
 * What turbostat would print over the whole run: a line for the machine, then one for each CPU.
 * Knows what the hardware did; knows no file.
 */
#pragma once

#include <stdio.h>

struct run;

/* Once the run is over. */
void turbostat_write(FILE *out, struct run *run);
