/* A steady clock in seconds. */
#ifndef RACER_CLOCK_H
#define RACER_CLOCK_H

double clock_seconds(void);

#endif
