/// The waiting times of a link.
struct LinkTimes: Sendable, Hashable {
  /// The margin added to a service's timeout for an operation of its sensor before the operation is canceled.
  var marginInMilliseconds = 5000
  /// The time for which the response of a canceled operation is awaited: it may announce a finished capture.
  var graceInMilliseconds = 10_000
  /// The timeout of operations that do not involve the sensor.
  var shortInMilliseconds = 10_000
  /// The timeout of one attempt at a cancel, which services may also leave without a response.
  var cancelInMilliseconds = 5000
  /// The number of attempts for a cancel that gets no response.
  var cancelAttempts = 3
  /// The timeout of each step in releasing the lock of a dead process.
  var givingBackInMilliseconds = 2000
  /// The time for one attempt at a download.
  var downloadInMilliseconds = 600_000
  /// The longest wait of a download for others that began before it.
  var downloadTurnInMilliseconds = 500
  /// The first wait for data that is not ready; doubled to the longest.
  var firstPollInMilliseconds = 500
  var longestPollInMilliseconds = 30_000
  /// The total time to wait for data that is not ready, before it is left to the next start.
  var pollingInMilliseconds = 600_000
  /// The time for which a service's information is considered valid before it is requested again.
  var informationInMilliseconds = 600_000
  /// The time that a new capture waits for leftover data, while its sensors do not have it ready or do not respond.
  var beforeCaptureInMilliseconds = 5000
  /// The timeout of releasing all locks and sessions after the last view of sensors is closed.
  var closingInMilliseconds = 5000
  /// The time for it at the end of the program: less than the host waits for the store to close.
  var endingInMilliseconds = 1500
  /// The waiting times for another holder of the lock and for a busy sensor.
  var patience = SensorSequence.Patience()
}

extension LinkTimes {
  func seconds(_ milliseconds: Int) -> Double { Double(milliseconds) / 1000 }
}
