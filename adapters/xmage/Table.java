import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import mage.game.GameImpl;
import mage.util.ThreadUtils;

/**
 * One game and the thread that it runs in.
 *
 * XMage plays a game as one long call that asks its players whatever they must decide. That call has a thread of its
 * own here, which stands still whenever a player has priority or is asked something; the other thread speaks the
 * protocol, and goes on only while the game stands still.
 */
final class Table {
    /** Ends the game's thread from within: XMage catches exceptions, and lets errors through. */
    static final class Halt extends Error {
        private static final long serialVersionUID = 1L;
        final transient RuntimeException reason;

        Halt(RuntimeException reason) {
            super(reason == null ? "the game is given up" : reason.getMessage(), reason, false, false);
            this.reason = reason;
        }
    }

    /** What comes from the game's thread. */
    private record Asked(Map<String, Object> question) {}

    private record Refused(RuntimeException why) {}

    private record Failed(Throwable error) {}

    private enum Sign {
        PRIORITY,
        OVER,
        STOP
    }

    final GameImpl game;

    private final SynchronousQueue<Object> fromGame = new SynchronousQueue<>();
    private final SynchronousQueue<Object> toGame = new SynchronousQueue<>();
    private Thread thread;
    /** Whether a player has priority, and whether one is being asked. */
    private boolean standing;

    private boolean asking;
    private boolean ended;
    private RuntimeException refusal;

    Table(GameImpl game) {
        this.game = game;
    }

    /** Starts the game. Comes back when a player has priority. */
    void start(Wire.Ask ask) {
        thread = new Thread(
                () -> {
                    Object last = Sign.OVER;
                    try {
                        game.start(game.getStartingPlayerId());
                    } catch (Halt halt) {
                        if (halt.reason == null) {
                            return;
                        }
                        last = new Failed(halt.reason);
                    } catch (RuntimeException | Error error) {
                        last = new Failed(error);
                    }
                    try {
                        fromGame.put(last);
                    } catch (InterruptedException gone) {
                        Thread.currentThread().interrupt();
                    }
                },
                ThreadUtils.THREAD_PREFIX_GAME + " judgecall");
        thread.setDaemon(true);
        thread.start();
        await(ask);
    }

    /** Hands an action to whoever has priority; comes back when a player next has it, or the game is over. */
    void act(Map<String, Object> action, Wire.Ask ask) {
        if (!standing) {
            throw new Wire.Illegal(ended ? "the game is over" : "the game could not go on", null, null);
        }
        put(action);
        await(ask);
    }

    /** Gives the game up, wherever it stands. */
    void stop() {
        if (thread != null && thread.isAlive() && (standing || asking)) {
            put(Sign.STOP);
        }
        standing = false;
    }

    private void await(Wire.Ask ask) {
        standing = false;
        while (true) {
            Object sign = take(fromGame);
            if (sign instanceof Asked asked) {
                asking = true;
                Object answer = ask.ask(asked.question());
                asking = false;
                put(answer == null ? Sign.OVER : answer);
            } else if (sign instanceof Refused refused) {
                standing = true;
                throw refused.why();
            } else if (sign instanceof Failed failed) {
                if (failed.error() instanceof RuntimeException exception) {
                    throw exception;
                }
                throw new IllegalStateException(failed.error());
            } else {
                standing = sign == Sign.PRIORITY;
                ended = sign == Sign.OVER;
                return;
            }
        }
    }

    /** In the game's thread: a player has priority. Gives what the player is to do. */
    @SuppressWarnings("unchecked")
    Map<String, Object> priority() {
        give(refusal == null ? Sign.PRIORITY : new Refused(refusal));
        refusal = null;
        return (Map<String, Object>) receive();
    }

    /** In the game's thread: the action is refused, and the player still has priority. */
    void refuse(RuntimeException why) {
        refusal = why;
    }

    /** In the game's thread: puts a question and gives the answer. */
    Object ask(Map<String, Object> question) {
        give(new Asked(question));
        Object answer = receive();
        return answer == Sign.OVER ? null : answer;
    }

    private void give(Object sign) {
        try {
            fromGame.put(sign);
        } catch (InterruptedException gone) {
            throw new Halt(null);
        }
    }

    private Object receive() {
        try {
            Object received = toGame.take();
            if (received == Sign.STOP) {
                throw new Halt(null);
            }
            return received;
        } catch (InterruptedException gone) {
            throw new Halt(null);
        }
    }

    private void put(Object message) {
        try {
            toGame.put(message);
        } catch (InterruptedException gone) {
            throw new IllegalStateException(gone);
        }
    }

    private static Object take(SynchronousQueue<Object> queue) {
        try {
            return queue.take();
        } catch (InterruptedException gone) {
            throw new IllegalStateException(gone);
        }
    }
}
