import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of the notifications a viewer publishes while it loads and draws.
@MainActor struct ViewerNotificationTests {
  /// Returns the notifications of a viewer that loads and draws a molecule and then changes its mode.
  private func told() async throws -> [PluginAPI.Notification] {
    let plugin = try await LibraryFixture.plugin(starters: true)
    _ = try await plugin.run("list")
    let heard = Heard()
    var subscriptions: [any Cancellable] = []
    for topic in ViewerTopic.allCases {
      subscriptions.append(plugin.context.subscribe("molecules." + topic.rawValue) { heard.all.append($0) })
    }
    let driver = try plugin.screen("viewer", ["document": "b-dna"])
    await driver.settle()
    driver.perform(ActionInvocation("mode", ["mode": "spacefilling"]))
    await driver.settle()
    for subscription in subscriptions { subscription.cancel() }
    return heard.all
  }

  private final class Heard {
    var all: [PluginAPI.Notification] = []
  }

  @Test func `start, update and end notifications come in order for loading and for each drawing`() async throws {
    var isRunning = false
    var (rounds, disorders, updates) = (0, 0, 0)
    for notification in try await told() {
      switch ViewerTopic(rawValue: String(notification.topic.dropFirst("molecules.".count))) {
      case .started:
        if isRunning { disorders += 1 }
        isRunning = true
      case .updated:
        if !isRunning { disorders += 1 }
        updates += 1
      case .ended:
        if !isRunning { disorders += 1 }
        isRunning = false
        rounds += 1
      case nil: disorders += 1
      }
    }
    // Loading, drawing, drawing in the other mode.
    #expect(rounds >= 3 && updates > 0)
    #expect(disorders == 0 && !isRunning)
  }

  @Test func `notifications have the topics and fields of the progress overlay`() async throws {
    let topics = Dictionary(
      uniqueKeysWithValues: MoleculesPlugin().contributions.topics.map { ("molecules." + $0.name, $0.payload) })
    let notifications = try await told()
    #expect(Set(notifications.map(\.topic)).allSatisfy { topics[$0] != nil })
    let labels = notifications.filter { !$0.topic.hasSuffix("-ended") }.map { $0.payload["label"].text ?? "" }
    #expect(labels.allSatisfy { !$0.isEmpty })
    let fractions = notifications.filter { $0.topic.hasSuffix("-updated") }.compactMap { $0.payload["fraction"].number }
    #expect(fractions.count == notifications.count { $0.topic.hasSuffix("-updated") })
    #expect(fractions.allSatisfy { (0...1).contains($0) })
  }
}
