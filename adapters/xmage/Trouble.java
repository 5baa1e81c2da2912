import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** XMage catches what goes wrong within a game and logs it. This prints it on standard error, and remembers it. */
final class Trouble extends AppenderSkeleton {
    private volatile Throwable last;

    /** Takes over XMage's log. */
    static Trouble listen() {
        Trouble trouble = new Trouble();
        Logger root = Logger.getRootLogger();
        root.removeAllAppenders();
        root.setLevel(Level.WARN);
        root.addAppender(trouble);
        return trouble;
    }

    /** What has gone wrong since the last call, or null. */
    Throwable take() {
        Throwable taken = last;
        last = null;
        return taken;
    }

    @Override
    protected void append(LoggingEvent event) {
        System.err.println(event.getLevel() + " " + event.getRenderedMessage());
        if (event.getThrowableInformation() != null) {
            Throwable thrown = event.getThrowableInformation().getThrowable();
            thrown.printStackTrace();
            if (event.getLevel().isGreaterOrEqual(Level.FATAL) && last == null) {
                last = thrown;
            }
        }
    }

    @Override
    public void close() {}

    @Override
    public boolean requiresLayout() {
        return false;
    }
}
