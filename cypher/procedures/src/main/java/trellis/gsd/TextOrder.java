package trellis.gsd;

/**
 * Numbers that are ordered as other numbers are as texts: 10 comes before 9.
 *
 * <p>A number is filled up with zeros to 17 digits, and its own count of digits follows.
 */
final class TextOrder {
    private static final int DIGITS = 17;
    private static final int SHIFT = 5;
    private static final long[] POWERS = new long[DIGITS + 1];

    static {
        POWERS[0] = 1;
        for (int i = 1; i <= DIGITS; i++) {
            POWERS[i] = 10 * POWERS[i - 1];
        }
    }

    private TextOrder() {}

    static long of(long number) {
        if (number < 0 || number >= POWERS[DIGITS]) {
            throw new IllegalStateException("the internal id %d is out of range".formatted(number));
        }
        int digits = 1;
        while (number >= POWERS[digits]) {
            digits++;
        }
        return number * POWERS[DIGITS - digits] << SHIFT | digits;
    }

    static long number(long ordered) {
        int digits = (int) (ordered & (1 << SHIFT) - 1);
        return (ordered >> SHIFT) / POWERS[DIGITS - digits];
    }
}
