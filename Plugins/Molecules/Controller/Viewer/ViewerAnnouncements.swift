import PluginAPI
import Synchronization

/// The topics that a viewer publishes while it loads and draws.
enum ViewerTopic: String, CaseIterable {
  case started = "rendering-started"
  case updated = "rendering-updated"
  case ended = "rendering-ended"

  /// The descriptions for the host.
  static let descriptions = [
    TopicDescription(
      started.rawValue, "Start of loading or drawing a molecule",
      payload: .record([.init("label", .text, "Name of the work")])),
    TopicDescription(
      updated.rawValue, "Progress of loading or drawing",
      payload: .record([
        .init("label", .text, "Name of the work"), .init("fraction", .number, "Fraction done, from 0 to 1"),
      ])),
    TopicDescription(ended.rawValue, "End of loading or drawing, for any reason", payload: .record([])),
  ]
}

/// Publishes the start, progress and end of work that may take long; frames of a rotating molecule are not published.
@MainActor final class ViewerAnnouncements {
  enum Work: String {
    case loading, drawing
  }

  private let context: any PluginContext
  private var current: (work: Work, progress: PublishedProgress)?

  init(_ context: any PluginContext) {
    self.context = context
  }

  /// Publishes the start of work, and the end of the work that was announced before.
  func start(_ work: Work) {
    current?.progress.end()
    current = (work, PublishedProgress(context))
    context.notify(ViewerTopic.started.rawValue, ["label": .text(work.rawValue)])
  }

  /// Begins the next part of announced work, whose progress starts at 0 again.
  func restart(_ work: Work) { progress(of: work)?.restart() }

  /// Publishes the end of work, if it was announced.
  func end(_ work: Work) {
    guard let progress = progress(of: work) else { return }
    progress.end()
    current = nil
  }

  /// Returns the receiver of the work's progress; nil if the work is not announced.
  func progress(of work: Work) -> PublishedProgress? { current?.work == work ? current?.progress : nil }
}

/// The progress of announced work, published in steps of a hundredth until the work ends.
final class PublishedProgress: Sendable {
  private let context: any PluginContext
  /// The last published progress; nil after the end.
  private let hundredths = Mutex<Int?>(0)

  init(_ context: any PluginContext) {
    self.context = context
  }

  func report(_ progress: Progress) {
    guard let fraction = progress.fraction, fraction.isFinite else { return }
    let step = Int(min(max(0, fraction), 1) * 100)
    // Notifying under the lock keeps the order: nothing follows the end.
    hundredths.withLock { last in
      guard let before = last, step > before else { return }
      last = step
      context.notify(
        ViewerTopic.updated.rawValue, ["label": .text(progress.label), "fraction": .number(fraction)])
    }
  }

  fileprivate func restart() { hundredths.withLock { if $0 != nil { $0 = 0 } } }

  fileprivate func end() {
    hundredths.withLock { last in
      last = nil
      context.notify(ViewerTopic.ended.rawValue, Value.record(Record()))
    }
  }
}

/// Progress that is reported to the host, and published if the work is announced.
struct AnnouncedProgress: WorkProgress {
  let host: any WorkProgress
  let published: PublishedProgress?

  var isCancelled: Bool { host.isCancelled }

  func report(_ progress: Progress) {
    host.report(progress)
    if !isCancelled { published?.report(progress) }
  }
}
