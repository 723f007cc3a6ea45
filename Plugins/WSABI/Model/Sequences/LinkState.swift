/// What a link believes of its service; the service may have changed its mind since.
///
/// Beliefs shorten the way: a wrong one costs an answer that tells better, and the steps that were left out.
struct LinkState: Sendable, Hashable {
  /// The session; nil while not registered.
  var session: SensorUUID?
  var holdsLock = false
  var isInitialized = false
  /// What the sensor was last set to with success in this session; nil if that is not known.
  var configuration: WireDictionary?
}
