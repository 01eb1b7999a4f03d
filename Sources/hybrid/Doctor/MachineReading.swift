internal import HybridLocal

/// What `hybrid doctor` reads of the machine.
struct MachineReading: Sendable {
  /// A controller and the group that binds it.
  struct Group: Sendable, Hashable {
    let controllers: [String]
    let group: ControlGroups.Group
  }

  let budget: CPUBudget
  /// Where CPU time, CPUs and memory are limited; controllers in one group stand together.
  let groups: [Group]
  /// nil where no quota keeps count.
  let throttling: CPUThrottling?
  /// nil where the kernel does not keep it.
  let pressure: Pressure?
  let memory: MemoryBudget

  init(_ machine: Machine) {
    budget = machine.cpuBudget()
    throttling = machine.throttling()
    pressure = machine.pressure(.cpu)
    memory = machine.memoryBudget()
    let controlGroups = machine.controlGroups()
    var groups: [Group] = []
    for controller in ["cpu", "cpuset", "memory"] {
      guard let group = controlGroups.group(for: controller) else { continue }
      if let place = groups.firstIndex(where: { $0.group == group }) {
        groups[place] = Group(
          controllers: groups[place].controllers + [controller], group: group)
      } else {
        groups.append(Group(controllers: [controller], group: group))
      }
    }
    self.groups = groups
  }
}
