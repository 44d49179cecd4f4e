package trellis.embedded;

import java.io.IOException;
import java.nio.file.Path;

/** The data folder cannot be made or written to. */
final class DataFolderException extends IOException {
    private static final long serialVersionUID = 1;

    DataFolderException(Path data, IOException cause) {
        super("cannot write to the data folder %s: %s".formatted(data, cause.getMessage()), cause);
    }
}
