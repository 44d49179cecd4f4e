package trellis.trie;

/**
 * Divides a budget fairly among groups: every group gets the same cap, smaller ones all they have.
 *
 * @param cap the largest number for which the sum of {@code min(size, cap)} is within the budget
 * @param leftover what then remains; the first groups above the cap get one more each
 */
record FairShare(int cap, int leftover) {
    static FairShare of(int[] sizes, int budget) {
        int low = 0;
        int high = budget;
        while (low < high) {
            int middle = (int) (((long) low + high + 1) / 2);
            if (taken(sizes, middle) <= budget) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return new FairShare(low, (int) (budget - taken(sizes, low)));
    }

    private static long taken(int[] sizes, int cap) {
        long sum = 0;
        for (int size : sizes) {
            sum += Math.min(size, cap);
        }
        return sum;
    }
}
