/// A link's assumptions about the state of its service, which may have changed since.
///
/// The assumptions save steps. A wrong one costs a response that corrects it, and then the steps that were left out.
struct LinkState: Sendable, Hashable {
  /// The session; nil while not registered.
  var session: SensorUUID?
  var holdsLock = false
  var isInitialized = false
  /// The configuration last set with success since the lock was acquired; nil if that is not known.
  ///
  /// Another holder of the lock may set the sensor differently, and a capture would then show another finger than the
  /// one it is filed under. So the configuration is never assumed beyond the lock.
  var configuration: WireDictionary?
  /// The configuration as read back from the service; nil if it was not requested.
  var readBack: WireDictionary?
}
