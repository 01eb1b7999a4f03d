import HybridLocal
import Testing

@Suite struct CPUListTests {
  @Test(arguments: [
    ("0", [0]),
    ("0-3,8,10-11\n", [0, 1, 2, 3, 8, 10, 11]),
    (" 4 - 5 , 1", [1, 4, 5]),
    ("2,2,1-2", [1, 2]),
    ("", []),
    ("\n", []),
  ])
  func `the kernel's notation is read`(text: String, cpus: [Int]) {
    #expect(CPUList(parsing: text)?.cpus == cpus)
  }

  @Test(arguments: ["3-1", "a", "1-", "-1", "0-99999999999999999999", "0-65536", "1-2-3", "1 2"])
  func `anything else is refused`(text: String) {
    #expect(CPUList(parsing: text) == nil)
  }

  @Test(arguments: [
    ([], ""), ([5], "5"), ([0, 1, 2, 4, 6, 7], "0-2,4,6-7"), ([9, 8], "8-9"),
  ])
  func `a list prints in the same notation`(cpus: [Int], text: String) {
    #expect(CPUList(cpus).description == text)
    #expect(CPUList(parsing: text) == CPUList(cpus))
  }
}
