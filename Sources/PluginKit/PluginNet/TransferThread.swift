internal import CTransfer
internal import Glibc
internal import Synchronization

/// The single thread that drives all transfers of the process.
///
/// It starts, and opens libcurl, with the first request.
final class TransferThread: Sendable {
  static let shared = TransferThread()

  private enum Entry: Sendable {
    case begin(TransferTicket, TransferJob)
    case cancel(TransferTicket)
    case resume(TransferTicket)
  }

  private struct State {
    var inbox: [Entry] = []
    var isStarted = false
    /// The address of the engine; 0 before it exists.
    var engine: UInt = 0
  }

  private let state = Mutex(State())

  /// Enqueues a job.
  func begin(_ ticket: TransferTicket, _ job: TransferJob) { put(.begin(ticket, job)) }

  /// Cancels a running job; does nothing if it already ended.
  func cancel(_ ticket: TransferTicket) {
    ticket.cancel()
    put(.cancel(ticket))
  }

  /// Resumes a job that its gate paused; does nothing if it already ended.
  func resume(_ ticket: TransferTicket) { put(.resume(ticket)) }

  private func put(_ entry: Entry) {
    let (engine, mustStart) = state.withLock { state in
      state.inbox.append(entry)
      defer { state.isStarted = true }
      return (state.engine, !state.isStarted)
    }
    if mustStart { start() }
    // The engine is never freed.
    if let engine = OpaquePointer(bitPattern: engine) { transfer_engine_wake(engine) }
  }

  private func start() {
    var thread = pthread_t()
    let result = pthread_create(&thread, nil, runTransferThread, Unmanaged.passRetained(self).toOpaque())
    precondition(result == 0, "the system cannot start another thread")
    pthread_detach(thread)
  }

  fileprivate func loop() {
    // Writing to a connection that the server closed would end the process; libcurl does not handle signals here.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var problem = transfer_open().map { String(cString: $0) }
    let engine = transfer_engine_create()
    if problem == nil, engine == nil { problem = "there is not enough memory" }
    state.withLock { $0.engine = UInt(bitPattern: engine) }
    var jobs: [ObjectIdentifier: TransferJob] = [:]
    while true {
      let entries = state.withLock { state in
        defer { state.inbox = [] }
        return state.inbox
      }
      guard let engine else {
        refuse(entries, reason: problem ?? "")
        usleep(10_000)
        continue
      }
      for entry in entries { handle(entry, engine, &jobs) }
      transfer_engine_run(engine, 60_000)
      finish(engine, &jobs)
    }
  }

  private func refuse(_ entries: [Entry], reason: String) {
    for case .begin(_, let job) in entries { job.end(throwing: HTTPError.libraryMissing(reason: reason)) }
  }

  private func handle(_ entry: Entry, _ engine: OpaquePointer, _ jobs: inout [ObjectIdentifier: TransferJob]) {
    switch entry {
    case .begin(let ticket, let job):
      if ticket.isCancelled { return job.end(throwing: CancellationError()) }
      job.ticket = ticket
      var outcome = transfer_outcome()
      job.transfer = TransferSetup(job).begin(on: engine, &outcome)
      if job.transfer == nil { return job.end(outcome) }
      jobs[ObjectIdentifier(ticket)] = job
    case .cancel(let ticket):
      guard let job = jobs.removeValue(forKey: ObjectIdentifier(ticket)) else { return }
      transfer_free(engine, job.transfer)
      job.end(throwing: CancellationError())
    case .resume(let ticket):
      guard let job = jobs[ObjectIdentifier(ticket)], let transfer = job.transfer, !job.isHeld else { return }
      var outcome = transfer_outcome()
      if transfer_resume(transfer, &outcome) != 0 { return }
      jobs[ObjectIdentifier(ticket)] = nil
      job.end(outcome)
      transfer_free(engine, transfer)
    }
  }

  private func finish(_ engine: OpaquePointer, _ jobs: inout [ObjectIdentifier: TransferJob]) {
    var outcome = transfer_outcome()
    while transfer_engine_next(engine, &outcome) != 0 {
      guard let context = outcome.context else { continue }
      let job = Unmanaged<TransferJob>.fromOpaque(context).takeUnretainedValue()
      job.end(outcome)
      transfer_free(engine, job.transfer)
      if let ticket = job.ticket { jobs[ObjectIdentifier(ticket)] = nil }
    }
  }
}

private func runTransferThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<TransferThread>.fromOpaque(box).takeRetainedValue().loop() }
  return nil
}
