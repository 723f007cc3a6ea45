import PluginAPI

extension ProgramSession {
  /// Sends a request and waits for its answer, receiving the progress meanwhile.
  ///
  /// - Parameter seconds: The time that the canceled request may take to end; nil for any.
  func work(
    _ method: String, _ parameters: Value, label: String, canceledWithinSeconds seconds: Double?,
    report: @Sendable (Progress) -> Void
  ) async throws -> Value {
    let mailbox = CallMailbox()
    let id = request(method, parameters, label: label, mailbox: mailbox) { mailbox.put(.ended($0)) }
    return try await withTaskCancellationHandler {
      while true {
        for message in await mailbox.take() {
          handled(bytes: message.bytes)
          switch message.event {
          case .progress(let progress): report(progress)
          case .ended(let result): return try result.get()
          case .requested(let id, _, _): respond(to: id, .success(.null))
          case .emitted, .warned: break
          }
        }
      }
    } onCancel: {
      if let id { cancel(id, withinSeconds: seconds) }
    }
  }
}
