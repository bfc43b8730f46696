// The load configuration: its size, and where the hybrid metadata is.
        .section .rdata,"dr"
        .globl _load_config_used
        .p2align 3
_load_config_used:
        .word 0x140
        .zero 196
        .xword __chpe_metadata
        .zero 0x140 - 208
