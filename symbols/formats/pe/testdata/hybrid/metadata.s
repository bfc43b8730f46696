// IMAGE_ARM64EC_METADATA, of which the linker knows the symbols, and the pointers that Windows fills.
        .macro pointers names:vararg
        .irp n, \names
        .globl __os_arm64x_\n
__os_arm64x_\n:
        .xword 0
        .endr
        .endm
        .section .rdata,"dr"
        .p2align 3
        pointers dispatch_call_no_redirect, dispatch_ret, check_call, check_icall, check_icall_cfg, information, jump

        .data
        .globl __chpe_metadata
        .p2align 3
__chpe_metadata:
        .word 2                                   // version
        .rva __hybrid_code_map
        .word __hybrid_code_map_count
        .rva __x64_code_ranges_to_entry_points
        .rva __arm64x_redirection_metadata
        .irp n, dispatch_call_no_redirect, dispatch_ret, check_call, check_icall, check_icall_cfg
        .rva __os_arm64x_\n
        .endr
        .rva __arm64x_native_entrypoint
        .rva __hybrid_auxiliary_iat
        .word __x64_code_ranges_to_entry_points_count
        .word __arm64x_redirection_metadata_count
        .rva __os_arm64x_information, __os_arm64x_information
        .rva __arm64x_extra_rfe_table
        .word __arm64x_extra_rfe_table_size
        .rva __os_arm64x_jump
        .zero 40                                  // import tables of delayed loading, helpers
