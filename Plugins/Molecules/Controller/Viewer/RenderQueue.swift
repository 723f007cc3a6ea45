/// A queue with at most one running and one waiting request: the newest request wins, those between are dropped.
struct RenderQueue<Request> {
  private(set) var running: Request?
  private(set) var pending: Request?
  /// The number of renderings started so far.
  private(set) var generation = 0

  var isIdle: Bool { running == nil }

  /// Submits a request.
  ///
  /// - Returns: The request if it should start now, under the new generation; nil if it waits.
  mutating func submit(_ request: Request) -> Request? {
    if running != nil {
      pending = request
      return nil
    }
    return start(request)
  }

  /// Records that the rendering of a generation ended, for any reason.
  ///
  /// - Returns: True if it was the running one, so that its result counts, and the request to start now.
  mutating func end(generation ended: Int) -> (counts: Bool, next: Request?) {
    guard ended == generation, running != nil else { return (false, nil) }
    running = nil
    guard let waiting = pending else { return (true, nil) }
    pending = nil
    return (true, start(waiting))
  }

  /// Drops the waiting request.
  mutating func dropPending() { pending = nil }

  private mutating func start(_ request: Request) -> Request {
    generation += 1
    running = request
    return request
  }
}
