import PluginAPI
import Testing

@testable import Host

struct LookAlikeTests {
  private static let known: Set<String> = ["molecules", "pathcase", "wsabi", "lab", "scan-1"]

  @Test(arguments: [
    ("rnolecules", "molecules"), ("mo1ecules", "molecules"), ("moiecules", "molecules"), ("m0lecules", "molecules"),
    ("mole-cules", "molecules"), ("molecule", "molecules"), ("moleculesx", "molecules"), ("moelcules", "molecules"),
    ("pathcas3", "pathcase"), ("vvsabi", "wsabi"), ("w5abi", "wsabi"),
  ])
  func `ids that are easily confused with a known id cause a warning`(id: String, other: String) {
    #expect(PluginID.lookAlike(of: id, among: Self.known) == other)
    #expect(PluginID.warning(about: id, among: Self.known)?.code == "host.plugin-look-alike")
    #expect(PluginID.warning(about: id, among: Self.known)?.message.contains("'\(other)'") == true)
  }

  @Test(arguments: ["molecules", "lav", "scan-2", "polymers", "case", "moleculesxy", "path-finder"])
  func `different ids, short ids that differ in a letter, and numbered ids cause no warning`(id: String) {
    #expect(PluginID.lookAlike(of: id, among: Self.known) == nil)
    #expect(PluginID.warning(about: id, among: Self.known) == nil)
  }
}
