import PluginAPI
import WSABISimulator

/// All stable codes of errors and notes of this plugin.
enum WSABIErrorCodes {
  static let all: [ErrorCodeDescription] =
    StationError.errorCodes + CaptureProblem.errorCodes + notes + LeftLocks.codes + Enrollment.codes
    + VaultError.errorCodes
    + SensorFault.errorCodes
    + AddressError.errorCodes + DiscoveryError.errorCodes + CameraError.errorCodes
    + SimulatorError.errorCodes + ITLError.errorCodes
    + ExchangeError.errorCodes + PictureError.errorCodes + ScorerError.errorCodes

  private static let notes: [ErrorCodeDescription] = [
    .init("wsabi.more", "a list has more rows than were asked for"),
    .init("wsabi.not-kept-unlocked", "the kernel keeps no keys here, so the store is unlocked for one command only"),
    .init("wsabi.more-sensors", "more sensors answered than are shown"),
    .init("wsabi.sensor-unchecked", "a sensor was not reached when an item was set up, which is stored all the same"),
    .init("wsabi.sensor-unsuited", "an item was set up with a sensor that says that it cannot capture it"),
    .init("wsabi.own-word", "a submodality nobody knows, which is kept and sent as it is"),
    .init("wsabi.sensor-unprotected", "the connection to a sensor is not encrypted, and leads over a network"),
    .init("wsabi.key-needed-again", "a store was made, and commands ask for its key until 'store unlock'"),
    .init("wsabi.users-returned", "a restored backup lets users open the store as they could when it was made"),
    .init("wsabi.lock-stolen", "the lock of a sensor was stolen, and stays with this station"),
    .init("wsabi.not-resumed", "captures of an earlier run are left open, as another process captures"),
    .init("wsabi.in-turn", "a capture of '--in-turn' is stored; the next item is asked for"),
    .init("wsabi.scored-later", "captures that a killed run had stored were scored"),
    .init("wsabi.resumed", "a capture that an earlier run did not finish was finished, or named as unknown"),
    .init("wsabi.no-quality", "nobody scored a capture, so nothing can be said of its quality"),
    .init("wsabi.left-out", "something could not be taken along in an export or an import"),
    .init("wsabi.same-finger-twice", "two captures under two names show the same finger"),
    .init("wsabi.different-fingers", "two captures under one name show different fingers"),
    .init("wsabi.cut-picture", "the picture a sensor sent is not whole; it is kept as it came"),
    .init("wsabi.other-part", "a sensor says that it took another part of the body than was wanted"),
    .init("wsabi.strange-answer", "a sensor says something of a capture that cannot be so; it is kept as it came"),
    .init("wsabi.capture-warning", "a capture went well, but not as told"),
  ]
}
