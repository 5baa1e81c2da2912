import mage.constants.MultiplayerAttackOption;
import mage.constants.RangeOfInfluence;
import mage.game.FakeGame;
import mage.game.GameCommanderImpl;
import mage.game.GameImpl;
import mage.game.match.MatchType;
import mage.game.mulligan.Mulligan;
import mage.game.mulligan.MulliganType;

/** Games for two to four players, each against all others, with nothing skipped (no draw, whoever begins). */
final class Games {
    private Games() {}

    /** A new game without players. */
    static GameImpl create(boolean commander) {
        return commander ? new Commander() : new Plain();
    }

    private static Mulligan noMulligan() {
        return MulliganType.GAME_DEFAULT.getMulligan(0);
    }

    private static final class Plain extends GameImpl {
        Plain() {
            super(MultiplayerAttackOption.MULTIPLE, RangeOfInfluence.ALL, noMulligan(), 0, 20, 0);
        }

        private Plain(Plain game) {
            super(game);
        }

        @Override
        public MatchType getGameType() {
            return new FakeGame().getGameType();
        }

        @Override
        public int getNumPlayers() {
            return getPlayers().size();
        }

        @Override
        public Plain copy() {
            return new Plain(this);
        }
    }

    private static final class Commander extends GameCommanderImpl {
        Commander() {
            super(MultiplayerAttackOption.MULTIPLE, RangeOfInfluence.ALL, noMulligan(), 0, 40, 0);
            startingPlayerSkipsDraw = false;
            alsoHand = true;
            alsoLibrary = true;
        }

        private Commander(Commander game) {
            super(game);
        }

        @Override
        public MatchType getGameType() {
            return new FakeGame().getGameType();
        }

        @Override
        public int getNumPlayers() {
            return getPlayers().size();
        }

        @Override
        public Commander copy() {
            return new Commander(this);
        }
    }
}
