/// What a link believes of its service; the service may have changed its mind since.
///
/// Beliefs shorten the way: a wrong one costs an answer that tells better, and the steps that were left out.
struct LinkState: Sendable, Hashable {
  /// The session; nil while not registered.
  var session: SensorUUID?
  var holdsLock = false
  var isInitialized = false
  /// What the sensor was last set to with success since the lock was taken; nil if that is not known.
  ///
  /// Whoever holds the lock in between may set it to something else, and a capture would then show another finger than
  /// the one it is filed under: it is never believed beyond the lock.
  var configuration: WireDictionary?
  /// What the service took of what it was told, as it said itself when it was asked; nil if it was not asked.
  var readBack: WireDictionary?
}
