/// How long a link waits for what.
struct LinkTimes: Sendable, Hashable {
  /// What is added to the time a service gives an operation of its sensor before the operation is cancelled.
  var marginInMilliseconds = 5000
  /// How long the answer of an operation is awaited after it was cancelled: it may hold a finished capture.
  var graceInMilliseconds = 10_000
  /// The time for operations that are none of the sensor.
  var shortInMilliseconds = 10_000
  /// The time for one attempt at a cancel, which services leave without an answer too.
  var cancelInMilliseconds = 5000
  /// How often a cancel is tried that brings no answer.
  var cancelAttempts = 3
  /// The time for each step by which the lock of a dead process is given back.
  var givingBackInMilliseconds = 2000
  /// The time for one attempt at a download.
  var downloadInMilliseconds = 600_000
  /// How long a download waits at most for others that began before it.
  var downloadTurnInMilliseconds = 500
  /// The first wait for data that is not ready; doubled to the longest.
  var firstPollInMilliseconds = 500
  var longestPollInMilliseconds = 30_000
  /// How long data that is not ready is waited for before it is left to the next start, all waits together.
  var pollingInMilliseconds = 600_000
  /// How long what a service says of itself is taken to hold before it is looked at anew.
  var informationInMilliseconds = 600_000
  /// How long a new capture waits for what was left over, while its sensors have it not ready or do not answer.
  var beforeCaptureInMilliseconds = 5000
  /// The time for giving back all locks and sessions when nobody looks at sensors any more.
  var closingInMilliseconds = 5000
  /// The time for it at the end of the program: less than the host waits for the store to close.
  var endingInMilliseconds = 1500
  /// How the lock of another and a busy sensor are waited for.
  var patience = SensorSequence.Patience()
}

extension LinkTimes {
  func seconds(_ milliseconds: Int) -> Double { Double(milliseconds) / 1000 }
}
