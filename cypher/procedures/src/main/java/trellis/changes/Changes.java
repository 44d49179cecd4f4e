package trellis.changes;

/**
 * What was touched after a position of a log.
 *
 * @param position the log's position now
 * @param touched all that was touched since
 * @param pending what transactions touch that are being committed now; it may show already or not yet
 */
record Changes(long position, Touch touched, Touch pending) {}
