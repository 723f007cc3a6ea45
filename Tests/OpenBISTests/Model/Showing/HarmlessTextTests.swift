import PluginText
import Testing

@testable import OpenBIS

@Suite struct HarmlessTextTests {
  @Test func `there are 200 hostile texts, all different`() {
    #expect(Set(HostileTexts.all.map { Array($0.utf8) }).count >= 200)
  }

  @Test func `no hostile text keeps what could do harm`() {
    for text in HostileTexts.all {
      #expect(Harm.found(in: SanitizedText.line(text)).isEmpty, "\(text.debugDescription)")
      #expect(Harm.found(in: SanitizedText.block(text), allowing: ["\n", "\t"]).isEmpty, "\(text.debugDescription)")
      #expect(
        Harm.found(in: ShownValue(text, limit: nil).text, allowing: ["\n", "\t"]).isEmpty, "\(text.debugDescription)")
    }
  }
}
